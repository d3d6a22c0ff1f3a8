/** A parameter of a preset, as a field. */
interface PresetField {
  readonly name: string
  readonly label: string
  readonly example: string
  readonly required: boolean
}

/** The fields of a preset. Every preset can be applied to a subdomain. */
export function fieldsOf({ parameters }: { readonly parameters: readonly PresetField[] }): readonly PresetField[] {
  if (parameters.some(({ name }) => name === 'host')) return parameters
  const host = { name: 'host', label: 'Subdomain (empty: the zone itself)', example: 'www', required: false }
  return [host, ...parameters]
}
