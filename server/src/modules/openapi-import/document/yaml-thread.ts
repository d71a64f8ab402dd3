// Runs in a thread of its own, because YAML is parsed in one go and takes many times as long as JSON.
import { parentPort, workerData } from 'node:worker_threads'
import { jsonOfYaml } from './yaml.ts'

parentPort?.postMessage(jsonOfYaml(String(workerData)))
