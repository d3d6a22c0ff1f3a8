import { partsAroundNames, shownName } from '../util/shown-name.ts'

/**
 * The name of a domain or a host next to other text. Letters of a right-to-left script do not reorder the text next to it, and its labels stay in
 * their order (RFC 3987 §4.1).
 */
export function Name({ children }: { children: string }) {
  return <bdi dir="ltr">{children}</bdi>
}

/** A text with names of domains or hosts, each as people write it and isolated like a `Name`. */
export function Names({ children }: { children: string }) {
  return partsAroundNames(shownName(children)).map((part, i) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text stay in their order
    i % 2 === 0 ? part : <Name key={i}>{part}</Name>,
  )
}
