import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Person } from './person.ts'

const page = readFileSync(new URL('../../docs/jobs.md', import.meta.url), 'utf8')

/** The maximum number of clicks for each job, from the table in docs/jobs.md. */
const mostClicks = new Map(
  [...page.matchAll(/^\| ([^|]+) \| [^|]+ \| (\d+) \|/gm)].map(([, job, most]) => [job, Number(most)]),
)

/** Counts the clicks of a person's jobs. */
export interface JobClicks {
  /** Opens the list of zones, or another list, and starts to count. */
  begin(path?: string): Promise<void>
  /** Ends the job and checks that it took at most the allowed clicks. The next job starts here. */
  done(job: string): void
}

/** docs/jobs.md defines what counts as a click. */
export async function jobClicksOf(person: Person): Promise<JobClicks> {
  let clicks = 0
  await person.page.exposeFunction('onClickOfJob', () => {
    clicks++
  })
  await person.page.addInitScript(() => {
    const count = (): void => (globalThis as unknown as { onClickOfJob: () => void }).onClickOfJob()
    const isPressed = ({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean =>
      (key === 'Enter' || key === ' ') &&
      !ctrlKey &&
      !metaKey &&
      target instanceof Element &&
      target.matches('button, a')
    document.addEventListener('pointerdown', count, true)
    document.addEventListener('keydown', (event) => isPressed(event) && count(), true)
  })
  return {
    async begin(path = '/zones') {
      await person.open(path)
      await person.page.getByRole('table').waitFor()
      clicks = 0
    },
    done(job) {
      const most = mostClicks.get(job)
      assert.ok(most !== undefined, `docs/jobs.md has no job “${job}”`)
      assert.ok(clicks > 0 && clicks <= most, `${job}: ${clicks} clicks, at most ${most}`)
      clicks = 0
    },
  }
}
