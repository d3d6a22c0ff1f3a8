import { isType } from '../type.ts'

/** White space, and the marks before lines of mails that are quoted. */
const whiteSpace = /^[ \t\u00a0>]*/
/** Lines between two pauses. */
const linesAtOnce = 1_000
/** No line begins with so much white space on purpose. */
const maxIndent = 256

/**
 * The white space that all lines of a text share, as text that was copied out of a document or a mail has it; '' when there is none.
 *
 * Comments and empty lines do not count. The file's first record cannot take over an owner name, so that a file of which every line begins
 * with white space has no other meaning. It has if that record is written without a name: then nothing is shared.
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

/** Whether a line begins with what stands after an owner name: a TTL, a class or a type. */
function isWithoutOwner(line: string): boolean {
  const [first = '', second = ''] = line.split(/[\s(]+/, 2)
  if (/^(?:\d+[smhdw]?|IN|CH|HS)$/i.test(first)) return true
  return isType(first) && !/^(?:\d+[smhdw]?|IN)$/i.test(second) && !isType(second)
}
