/** What a name has, in the DNS of this moment: its values, none; or `unknown` when nobody could tell. */
export type Looked = readonly string[] | 'unknown'

/** Answers questions about names that are not ours. A question never rejects and takes at most some seconds. */
export interface Resolver {
  /** The texts of the name's own TXT records, each one's strings joined; what an alias leads to is not the name's own. */
  texts(name: string): Promise<Looked>
}
