/** Characters that are always shown at the end of a cut text. */
const tail = 12
/** A text up to this length is cut at its end, where there is room for it at all. */
const short = 32

/**
 * A text on one line. If there is too little room, its middle is left out, because long values are distinguished by their ends. `title`: what is
 * shown on hover.
 */
export function MiddleCut({ text, title }: { text: string; title: string }) {
  const at = text.length > short ? text.length - tail : text.length
  return (
    <span className="middle-cut" title={title}>
      <span className="cut">{text.slice(0, at)}</span>
      <span>{text.slice(at)}</span>
    </span>
  )
}
