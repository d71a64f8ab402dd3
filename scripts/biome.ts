import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

/**
 * Biome's own program. Its wrapper package asks for the programs of ten platforms, and a registry that lacks one of them
 * makes `npm ci` fail; so the two that we work on are named in package.json, like Node's.
 */
export const biome = path.resolve(`node_modules/@biomejs/cli-${process.platform}-${process.arch}/biome`)

/** Runs it in the foreground and answers its exit code. */
export function runBiome(...args: string[]): number {
  if (!existsSync(biome)) {
    console.error(`Biome is not installed for ${process.platform} on ${process.arch}. Format and lint on Linux.`)
    return 1
  }
  return spawnSync(biome, args, { stdio: 'inherit' }).status ?? 1
}
