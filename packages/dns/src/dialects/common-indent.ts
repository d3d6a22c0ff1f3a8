import { isType } from '../type.ts'

/** White space, and the marks before quoted lines in emails. */
const whiteSpace = /^[ \t\u00a0>]*/
/** Lines between two pauses. */
const linesAtOnce = 1_000
/** Maximum number of characters of a line that are searched. */
const maxIndent = 256

/**
 * The white space at the beginning of every line, as in text that was copied from a document or an email; '' if there is none.
 *
 * Comments and empty lines do not count. White space on every line has no other meaning if the first record has an owner name. If it has
 * none, the result is ''.
 */
export function* commonIndent(text: string): Generator<undefined, string> {
  let shared: string | undefined
  let lines = 0
  for (let at = 0; at < text.length; ) {
    const feed = text.indexOf('\n', at)
    const end = feed === -1 ? text.length : feed
    const line = text.slice(at, Math.min(end, at + maxIndent))
    at = end + 1
    if (++lines % linesAtOnce === 0) yield
    const own = whiteSpace.exec(line)?.[0] ?? ''
    const rest = line.slice(own.length).trimEnd()
    if (rest === '' || rest.startsWith(';')) continue
    if (shared === undefined && !rest.startsWith('$') && isWithoutOwner(rest)) return ''
    shared = shared === undefined ? own : sharedStart(shared, own)
    if (shared === '') return ''
  }
  return shared ?? ''
}

function sharedStart(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return one.slice(0, at)
}

/** Whether a line begins with a TTL, a class or a type, and so has no owner name. */
function isWithoutOwner(line: string): boolean {
  const [first = '', second = ''] = line.split(/[\s(]+/, 2)
  if (/^(?:\d+[smhdw]?|IN|CH|HS)$/i.test(first)) return true
  return isType(first) && !/^(?:\d+[smhdw]?|IN)$/i.test(second) && !isType(second)
}
