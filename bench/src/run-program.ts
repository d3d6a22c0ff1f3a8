import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Runs a TypeScript program as a separate process, so that its work does not disturb the measurement; returns the JSON that it prints. */
export async function runProgram<T>(program: URL, args: readonly string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(program), ...args])
  return JSON.parse(stdout) as T
}
