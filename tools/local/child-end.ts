import type { ChildProcess } from 'node:child_process'

/** How long to wait for the output of a program that has ended. */
const outputMs = 2_000

/** Stops a program, and kills it if it does not stop within this time. */
export function endChild(child: ChildProcess, graceMs: number): void {
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), graceMs)
  child.once('exit', () => clearTimeout(force))
}

/** The exit code of a program, once its output is complete. It does not wait for programs that it left running, which hold the output open. */
export async function endOf(child: ChildProcess): Promise<number> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const code = await new Promise<number>((resolve) => child.once('exit', (status) => resolve(status ?? 1)))
  const { promise: tooLong, resolve: giveUp } = Promise.withResolvers<void>()
  const limit = setTimeout(giveUp, outputMs)
  await Promise.race([closed, tooLong])
  clearTimeout(limit)
  child.stdout?.destroy()
  child.stderr?.destroy()
  return code
}
