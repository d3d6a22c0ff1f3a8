/** Programs for which there is a configuration with the TSIG secret of a key. */
export const tsigClients = [
  'nsupdate',
  'certbot',
  'lego',
  'cert-manager',
  'external-dns',
  'terraform',
  'kea',
  'bind',
  'knot',
  'nsd',
  'powerdns',
] as const

export type TsigClient = (typeof tsigClients)[number]
