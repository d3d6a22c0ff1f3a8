/** Nameserver programs for which there is a configuration as a secondary. */
export const secondaryPrograms = ['bind', 'knot', 'nsd', 'powerdns'] as const

/** Programs for which there is a configuration with the TSIG secret of a key. */
export const tsigClients = [
  'nsupdate',
  'certbot',
  'lego',
  'cert-manager',
  'external-dns',
  'terraform',
  'kea',
  ...secondaryPrograms,
] as const

export type TsigClient = (typeof tsigClients)[number]
