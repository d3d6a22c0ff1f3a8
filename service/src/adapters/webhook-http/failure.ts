import type { FailureWord } from '#ports/webhook-http.ts'

/** Why a request failed: one word, and as `message` one sentence for the endpoint's owner. */
export class SendFailure extends Error {
  readonly word: FailureWord

  constructor(word: FailureWord, sentence: string, cause?: unknown) {
    super(sentence, { cause })
    this.word = word
  }
}

/** The code of one of Node's errors, such as ECONNRESET. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** The maximum number of characters of received text in a sentence, including escapes. */
const maxShown = 120

/**
 * Received text in the form that a sentence can contain: printable ASCII, all other bytes as `\xNN`, at most 120 characters.
 *
 * @param text One character for each byte (latin1).
 */
export function shownText(text: string): string {
  let shown = ''
  for (const char of text) {
    const escaped =
      char === '\\' || char === '"'
        ? `\\${char}`
        : char >= ' ' && char <= '~'
          ? char
          : `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`
    if (shown.length + escaped.length >= maxShown) return `${shown}…`
    shown += escaped
  }
  return shown
}

/** Received text in double quotes. */
export function quoted(text: string): string {
  return `"${shownText(text)}"`
}

/** Text with any characters, such as a name in a certificate, in the form that `shownText` accepts. */
export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}
