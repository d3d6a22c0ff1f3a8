/** Stable words for every refusal of this library. */
export type FaultCode =
  /** The length before a frame is impossible, or over the limit. The stream cannot be read on. */
  | 'bad_frame'
  /** No well-formed XML in UTF-8, or XML with a document type. */
  | 'bad_xml'
  /** Well-formed, but no EPP: an element or attribute is missing, or says nothing that it may say. */
  | 'bad_message'
  /** A value that the schemas do not allow to be sent. */
  | 'bad_value'

/** Every refusal of this library: `code` is a stable word, `message` one sentence. It never quotes passwords or authInfo. */
export class EppFault extends Error {
  readonly code: FaultCode

  constructor(code: FaultCode, message: string) {
    super(message)
    this.name = 'EppFault'
    this.code = code
  }
}
