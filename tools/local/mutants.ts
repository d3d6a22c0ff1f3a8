import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { basename, join } from 'node:path'

/** A change of one place in a file that changes what the program does. */
export interface Mutant {
  /** Says what the changed program does wrong. */
  readonly id: string
  readonly file: string
  /** The text to replace. The file contains it exactly once. */
  readonly from: string
  readonly to: string
  /** The test files that should notice the change. */
  readonly tests: readonly string[]
  /** A regular expression: only tests whose names match it run. */
  readonly only?: string
  /** Why no test can notice the change, or which test is missing. */
  readonly explanation?: string
}

/** The least share of changes that the tests notice. */
export const leastNoticed = 0.9

/** The changes of every list in a folder, by the list's name. */
export function readLists(folder: string): ReadonlyMap<string, readonly Mutant[]> {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
  return new Map(
    files.map((file) => [basename(file, '.json'), JSON.parse(readFileSync(join(folder, file), 'utf8')) as Mutant[]]),
  )
}

/** The changed text of a file, or why there is none. */
export function changedText(
  { file, from, to }: Mutant,
  text: string,
): { readonly text: string } | { readonly stale: string } {
  const places = text.split(from).length - 1
  if (places !== 1) return { stale: `the text is in ${file} ${places} times` }
  const changed = text.replace(from, () => to)
  try {
    stripTypeScriptTypes(changed)
  } catch (error) {
    return { stale: `the changed ${file} is not valid TypeScript: ${(error as Error).message}` }
  }
  return { text: changed }
}

/** The outcome of the tests of a change. `by`: the first failed test, or that the tests did not end. */
export type Verdict =
  | { readonly kind: 'noticed'; readonly by: string }
  | { readonly kind: 'survived' }
  | { readonly kind: 'stale'; readonly why: string }

export interface Judged {
  readonly mutant: Pick<Mutant, 'id' | 'explanation'>
  readonly verdict: Verdict
}

/** What is wrong with a change, as one sentence; undefined: nothing. */
export function faultOf({ mutant: { explanation }, verdict }: Judged): string | undefined {
  if (verdict.kind === 'stale') return `Its list is out of date: ${verdict.why}.`
  if (verdict.kind === 'survived' && explanation === undefined)
    return 'No test notices it. Add a test, or an explanation.'
  if (verdict.kind === 'noticed' && explanation !== undefined)
    return `Its explanation is wrong, because a test notices it: ${verdict.by}. Remove the explanation.`
  return undefined
}

/** The tally of all changes, and whether it reaches the bar and none has a fault. */
export function tallyOf(judged: readonly Judged[]): { readonly text: string; readonly isGood: boolean } {
  const count = (kind: Verdict['kind']): number => judged.filter(({ verdict }) => verdict.kind === kind).length
  const noticed = count('noticed')
  const share = judged.length === 0 ? 0 : noticed / judged.length
  const faults = judged.filter((each) => faultOf(each) !== undefined).length
  const percent = (100 * share).toFixed(1)
  return {
    text:
      `${judged.length} changes: ${noticed} noticed (${percent} %, at least ${100 * leastNoticed} % are required), ` +
      `${count('survived')} survived, ${count('stale')} out of date; ${faults} with a fault`,
    isGood: faults === 0 && share >= leastNoticed,
  }
}
