/** HTML that is safe to put into a page unchanged. */
export type Html = string & { readonly isHtml: unique symbol }

/** Values in `html` templates are escaped unless they are `Html`; lists of HTML are joined. */
export type Value = Html | readonly Html[] | { readonly text: string | number }

/** Builds HTML. Plain text is passed as `{ text }` and escaped. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return strings.reduce((written, string, i) => {
    const value = values[i - 1] as Value
    return written + htmlOf(value) + string
  }) as Html
}

function htmlOf(value: Value): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.join('')
  return escaped(String((value as { text: string | number }).text))
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

export const nothing = '' as Html

/** Prose of the contract: paragraphs, with code between backticks. */
export function prose(text: string): Html[] {
  return text.split(/\n{2,}/).map((paragraph) => html`<p>${inline(paragraph)}</p>`)
}

/** One line of prose. */
export function inline(text: string): Html[] {
  return text
    .split('`')
    .map((part, i) => (i % 2 === 1 ? html`<code>${{ text: part }}</code>` : html`${{ text: part }}`))
}
