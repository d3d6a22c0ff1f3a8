// `until-ready.ts URL SECONDS`: a unit of systemd runs this once it has started its process (ExecStartPost=), so that the start ends
// when the process is ready. Exits with 0 when URL answers 200; with 1 after SECONDS, or once the process (MAINPID) is gone.
import { setTimeout as delay } from 'node:timers/promises'

const [url = '', seconds = ''] = process.argv.slice(2)
const { MAINPID: pid } = process.env
const endsAtMs = performance.now() + Number(seconds) * 1_000

for (let tries = 0; !(await answers()); tries++) {
  if (pid !== undefined && !runs(Number(pid))) fail('the process has ended')
  if (performance.now() > endsAtMs) fail(`${url} does not answer 200 after ${seconds} s`)
  if (tries === 0) process.stderr.write(`waiting for ${url}\n`)
  await delay(100)
}
process.exit(0)

function answers(): Promise<boolean> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(2_000) }).then(
    ({ status }) => status === 200,
    () => false,
  )
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function fail(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}
