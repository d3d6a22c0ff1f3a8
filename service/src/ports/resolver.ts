/** The current values of a name in the DNS: values, or none; `unknown` if there was no conclusive answer. */
export type Looked = readonly string[] | 'unknown'

/** Looks up names that are not ours. Never rejects, and takes at most some seconds. */
export interface Resolver {
  /** The texts of the name's own TXT records, each one's strings joined. Records behind an alias do not count. */
  texts(name: string): Promise<Looked>
}
