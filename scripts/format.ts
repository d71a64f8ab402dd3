// `npm run format`: writes what can be written by rule; says what cannot.
import { runBiome } from './biome.ts'

process.exitCode = runBiome('check', '--write', '.')
