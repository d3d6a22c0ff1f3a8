/** Stable words for every refusal of this library. */
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
  | 'bad_catalog'
  | 'out_of_zone'
  | 'too_large'
  | 'unsupported_directive'
  | 'too_many_faults'

/** Every refusal of this library: `code` is a stable word, `message` one sentence that a person can act on. */
export class DnsFault extends Error {
  readonly code: FaultCode

  constructor(code: FaultCode, message: string) {
    super(message)
    this.name = 'DnsFault'
    this.code = code
  }
}

/** A customer's text as shown inside a message: in back-ticks and never longer than a line. */
export function quoteInput(text: string): string {
  return text.length > 80 ? `\`${text.slice(0, 77)}…\`` : `\`${text}\``
}
