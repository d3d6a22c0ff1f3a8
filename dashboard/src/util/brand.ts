/** The operator of this installation, as the service has put it into the page. */
export interface Brand {
  readonly name: string
  /** `#rrggbb`; null: the colors of this product. */
  readonly color: string | null
  readonly hasLogo: boolean
  readonly links: readonly { readonly label: string; readonly url: string }[]
}

const own: Brand = { name: 'Zonewright', color: null, hasLogo: false, links: [] }

/** Reads the content of the element `service-brand`. Missing values, and invalid content, are replaced with this product's own values. */
export function brandIn(content: string | null | undefined): Brand {
  try {
    return { ...own, ...(JSON.parse(content ?? '{}') as Partial<Brand>) }
  } catch {
    return own
  }
}

export const brand: Brand = brandIn(
  globalThis.document?.querySelector('meta[name="service-brand"]')?.getAttribute('content'),
)
