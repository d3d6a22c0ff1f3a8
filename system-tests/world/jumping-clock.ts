import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from './world.ts'

/** A separate clock for some processes, in all their threads, that can be set while they run: it differs from the real one by this much. */
export function jumpingClock(
  { dataDir }: Pick<World, 'dataDir'>,
  name: string,
): { readonly env: Record<string, string>; set(offMs: number): void } {
  const file = join(dataDir, `${name}.clock`)
  const set = (offMs: number): void => writeFileSync(file, String(offMs))
  set(0)
  const code = `import { readFileSync } from 'node:fs'
    const Right = Date, now = () => Right.now() + Number(readFileSync(${JSON.stringify(file)}, 'latin1'))
    globalThis.Date = class extends Right {
      constructor(...given) { given.length === 0 ? super(now()) : super(...given) }
      static now() { return now() } }`
  return { env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }, set }
}
