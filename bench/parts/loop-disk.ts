// A file system whose power can be cut: ext4 in a file. What its programs wrote and did not flush is in the kernel only;
// what the device was given is in the file. So a copy of the file is what a disk holds after the power is gone.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const sizeMb = 768

export type Disk = { readonly image: string; readonly at: string }

/** Why it cannot be done here; undefined when it can. */
export function whyNoDisks(folder: string): string | undefined {
  if (process.platform !== 'linux') return 'it needs Linux'
  if (process.getuid?.() !== 0) return 'it needs root, to mount'
  for (const command of ['mkfs.ext4', 'mount', 'umount']) {
    if (spawnSync(command, ['-V']).error !== undefined) return `there is no ${command}`
  }
  try {
    removeDisk(makeDisk(folder, 'probe'))
    return undefined
  } catch (error) {
    return `a file cannot be mounted: ${error instanceof Error ? error.message : error}`
  }
}

export function makeDisk(folder: string, name: string): Disk {
  const image = path.join(folder, `${name}.img`)
  fs.closeSync(fs.openSync(image, 'wx'))
  fs.truncateSync(image, sizeMb * 1024 * 1024)
  run('mkfs.ext4', ['-q', '-F', image])
  return mounted(image, path.join(folder, name))
}

/** The disk as it is when the power goes now: a copy of what the device was given, mounted again. */
export function cutPower(disk: Disk, name: string): Disk {
  const image = `${disk.image}.${name}`
  run('cp', ['--sparse=always', disk.image, image])
  return mounted(image, `${disk.at}.${name}`)
}

export function flushDisk(disk: Disk): void {
  run('sync', ['-f', disk.at])
}

export function removeDisk({ image, at }: Disk): void {
  spawnSync('umount', ['-l', at])
  fs.rmSync(at, { recursive: true, force: true })
  fs.rmSync(image, { force: true })
}

function mounted(image: string, at: string): Disk {
  fs.mkdirSync(at)
  run('mount', ['-o', 'loop', image, at])
  return { image, at }
}

function run(command: string, args: string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr.trim()}`)
}
