/** The stable code words of all errors of this library. */
export type FaultCode =
  | 'bad_name'
  | 'bad_type'
  | 'bad_class'
  | 'bad_ttl'
  | 'bad_rdata'
  | 'bad_syntax'
  | 'bad_message'
  | 'bad_tsig'
  | 'bad_update'
  | 'bad_zone'
  | 'too_many_iterations'
  | 'bad_catalog'
  | 'out_of_zone'
  | 'too_large'
  | 'unsupported_directive'
  | 'too_many_faults'

/** The error of this library. `code` is a stable word, and `message` is one sentence that a person can act on. */
export class DnsFault extends Error {
  readonly code: FaultCode

  constructor(code: FaultCode, message: string) {
    super(message)
    this.name = 'DnsFault'
    this.code = code
  }
}

/**
 * A customer's text as shown inside a message: in back-ticks, and cut after 80 characters. Control characters are shown as pictures (`␚`),
 * and other characters of `unseen` as escapes (`\u202e`).
 */
export function quoteInput(text: string): string {
  const shown = text.length > 80 ? `${text.slice(0, 77)}…` : text
  return `\`${shown.replace(/[\x00-\x1f\x7f]/g, pictureOf).replace(unseen, escapeOf)}\``
}

/** Other characters that are invisible, or that change the direction of the text after them: those that names cannot have (`displayFault`). */
const unseen = /[\x80-\x9f\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u200b\u2060-\u206f\ufeff\ufff9-\ufffb]/gu

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** U+2400 and the characters after it represent the control characters. */
function pictureOf(control: string): string {
  const code = control.charCodeAt(0)
  return String.fromCharCode(code === 0x7f ? 0x2421 : 0x2400 + code)
}

/** An error in a customer's record, as a code word and a sentence. */
export interface RecordFault {
  readonly code: string
  readonly message: string
}
