import { DnsFault, quoteInput } from './faults.ts'
import type { Token } from './zone-lexer.ts'

/**
 * The entries that one `$GENERATE` line stands for: `RANGE LHS [TTL] [CLASS] TYPE RHS`, where `$` in the words becomes
 * the number, `${OFFSET,WIDTH,BASE}` the number moved, padded and in base `d`, `o`, `x` or `X`, and `\$` a dollar sign.
 *
 * @throws DnsFault `bad_syntax`
 */
export function* readGenerate(tokens: readonly Token[]): Generator<readonly Token[]> {
  const [range, ...words] = tokens
  const [, first, last, step = '1'] = /^(\d{1,9})-(\d{1,9})(?:\/(\d{1,9}))?$/.exec(range?.text ?? '') ?? []
  if (first === undefined || last === undefined || Number(first) > Number(last) || Number(step) === 0) {
    throw new DnsFault('bad_syntax', '$GENERATE needs a range, such as `1-254` or `0-100/2`.')
  }
  if (words.length < 3)
    throw new DnsFault('bad_syntax', '$GENERATE needs an owner name, a type and data after the range.')
  const templates = words.map((word) => ({ quoted: word.quoted, parts: templateOf(word.text) }))
  for (let number = Number(first); number <= Number(last); number += Number(step)) {
    yield templates.map(({ quoted, parts }) => ({ quoted, text: fill(parts, number) }))
  }
}

interface Placeholder {
  readonly offset: number
  readonly width: number
  readonly base: string
}

/** Widest padding: a longer one would not fit into a label. */
const maxWidth = 63

function templateOf(text: string): (string | Placeholder)[] {
  const parts: (string | Placeholder)[] = []
  let from = 0
  for (const match of text.matchAll(/\\\$|\\.|\$\{([^}]*)\}|\$\$|\$/gs)) {
    const [whole, modifiers] = match
    if (whole.startsWith('\\') && whole !== '\\$') continue
    parts.push(text.slice(from, match.index))
    parts.push(whole === '\\$' || whole === '$$' ? '$' : placeholderOf(modifiers ?? '0'))
    from = match.index + whole.length
  }
  parts.push(text.slice(from))
  return parts
}

function placeholderOf(modifiers: string): Placeholder {
  const [, offset, width = '0', base = 'd'] = /^([+-]?\d{1,9})(?:,(\d{1,3})(?:,([doxX]))?)?$/.exec(modifiers) ?? []
  if (offset === undefined || Number(width) > maxWidth) {
    throw new DnsFault('bad_syntax', `${quoteInput(`\${${modifiers}}`)} is no \`\${OFFSET,WIDTH,BASE}\` of $GENERATE.`)
  }
  return { offset: Number(offset), width: Number(width), base }
}

const radixOf: Readonly<Record<string, number>> = { d: 10, o: 8, x: 16, X: 16 }

function fill(parts: readonly (string | Placeholder)[], number: number): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part
      const value = number + part.offset
      if (value < 0) throw new DnsFault('bad_syntax', '$GENERATE makes a number below zero.')
      const digits = value.toString(radixOf[part.base] ?? 10).padStart(part.width, '0')
      return part.base === 'X' ? digits.toUpperCase() : digits
    })
    .join('')
}
