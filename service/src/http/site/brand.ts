import { type BrandSetting, onDark } from '#platform/settings/brand-setting.ts'
import { type Html, html } from '../reference/html.ts'

/** The product's own name in the built pages, except where it is a part of a word, such as the name of a header. */
const ownName = /(?<![\w-])Zonewright(?![\w-])/g

/** A built page with the operator's name and links. */
export function branded(page: string, { name, links }: Pick<BrandSetting, 'name' | 'links'>): string {
  const text = html`${{ text: name }}`
  return page.replaceAll(ownName, () => text).replaceAll('<!--links-->', () => linksOf(links))
}

function linksOf(links: BrandSetting['links']): Html {
  return html`${links.map(({ label, url }) => html`<a href="${{ text: url }}" rel="noreferrer">${{ text: label }}</a> `)}`
}

/** The style sheet with the operator's color; it is empty if the operator has none. */
export function brandColors({ color }: Pick<BrandSetting, 'color'>): string {
  return color === undefined ? '' : `:root{--brand:${color};--brand-dark:${onDark(color)}}\n`
}

/** The sign-in providers that the dashboard offers, in an element of its page. */
export function providersElement(providers: readonly { readonly id: string; readonly name: string }[]): Html {
  const content = JSON.stringify(providers.map(({ id, name }) => ({ id, name })))
  return html`<meta name="sign-in-providers" content="${{ text: content }}">`
}

/** The operator's data for the dashboard, in an element of its page. */
export function brandElement({ name, color, links, logo }: BrandSetting): Html {
  const content = JSON.stringify({ name, color, links, hasLogo: logo !== undefined })
  return html`<meta name="service-brand" content="${{ text: content }}">`
}
