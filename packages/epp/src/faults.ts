/** The stable code words of all errors of this library. */
export type FaultCode =
  /** The length before a frame is impossible or above the limit. The rest of the stream cannot be read. */
  | 'bad_frame'
  /** The text is not well-formed XML in UTF-8, or has a document type. */
  | 'bad_xml'
  /** Well-formed XML, but not EPP: an element or attribute is missing or has an invalid value. */
  | 'bad_message'
  /** A value to send that the schemas do not allow. */
  | 'bad_value'

/** The error of this library. `code` is a stable word, and `message` is one sentence. It never quotes passwords or authInfo. */
export class EppFault extends Error {
  readonly code: FaultCode

  constructor(code: FaultCode, message: string) {
    super(message)
    this.name = 'EppFault'
    this.code = code
  }
}
