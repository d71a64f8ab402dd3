import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'

/**
 * Writes a file that is complete and on the disk, or not there, and returns its SHA-256. A file that is there already has to hold the
 * same bytes: whoever wrote it was stopped before the database knew of it.
 */
export async function writeWhole(file: string, parts: AsyncIterable<string>): Promise<string> {
  const folder = path.dirname(file)
  // The trail names people and what they did.
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.part`
  try {
    const sha256 = await writeAll(draft, parts)
    // Read back, because nothing else will have these events once they have left the table.
    if ((await sha256Of(draft)) !== sha256)
      throw new Error(`${draft} does not hold what was written: does somebody else write there? Run this again.`)
    const standing = await sha256Of(file)
    if (standing !== undefined && standing !== sha256)
      throw new Error(`${file} is there already, and holds something else. Move it away, then run this again.`)
    await rename(draft, file)
    await flushFolder(folder)
    await flushFolder(path.dirname(folder))
    return sha256
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function writeAll(file: string, parts: AsyncIterable<string>): Promise<string> {
  const hash = createHash('sha256')
  const opened = await open(file, 'w', 0o600)
  try {
    for await (const part of parts) {
      hash.update(part)
      await opened.appendFile(part)
    }
    await opened.sync()
  } finally {
    await opened.close()
  }
  return hash.digest('hex')
}

async function flushFolder(folder: string): Promise<void> {
  const opened = await open(folder, 'r')
  await opened.sync().finally(() => opened.close())
}

/** Undefined if there is no such file. */
export async function sha256Of(file: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return hash.digest('hex')
}
