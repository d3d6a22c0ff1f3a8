import { domainName } from '../fields/domain-name.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The host whose A and AAAA records are published at the name. No RFC: the service resolves it, and nameservers never see the type. */
export const alias: RecordType = {
  type: RrType.ALIAS,
  needs: 'one host name, such as `www.example.net.`',
  fields: [domainName('lower')],
}
