import type { RecordType } from '../record-type.ts'
import type { RrType } from '../type.ts'
import { a } from './a.ts'
import { aaaa } from './aaaa.ts'
import { caa } from './caa.ts'
import { cdnskey } from './cdnskey.ts'
import { cds } from './cds.ts'
import { cert } from './cert.ts'
import { cname } from './cname.ts'
import { csync } from './csync.ts'
import { dname } from './dname.ts'
import { dnskey } from './dnskey.ts'
import { ds } from './ds.ts'
import { eui48 } from './eui48.ts'
import { eui64 } from './eui64.ts'
import { hinfo } from './hinfo.ts'
import { mx } from './mx.ts'
import { naptr } from './naptr.ts'
import { ns } from './ns.ts'
import { nsec } from './nsec.ts'
import { nsec3 } from './nsec3.ts'
import { nsec3param } from './nsec3param.ts'
import { openpgpkey } from './openpgpkey.ts'
import { ptr } from './ptr.ts'
import { rp } from './rp.ts'
import { rrsig } from './rrsig.ts'
import { smimea } from './smimea.ts'
import { soa } from './soa.ts'
import { srv } from './srv.ts'
import { sshfp } from './sshfp.ts'
import { tlsa } from './tlsa.ts'
import { txt } from './txt.ts'
import { uri } from './uri.ts'
import { zonemd } from './zonemd.ts'

/** Every record type with a codec of its own, by number. A new type is one file and one line here. */
const recordTypes: readonly RecordType[] = [
  a,
  ns,
  cname,
  soa,
  ptr,
  hinfo,
  mx,
  txt,
  rp,
  aaaa,
  srv,
  naptr,
  cert,
  dname,
  ds,
  sshfp,
  rrsig,
  nsec,
  dnskey,
  nsec3,
  nsec3param,
  tlsa,
  smimea,
  cds,
  cdnskey,
  openpgpkey,
  csync,
  zonemd,
  eui48,
  eui64,
  uri,
  caa,
]

const byNumber = new Map<RrType, RecordType>(recordTypes.map((declared) => [declared.type, declared]))

/** The declaration of a type, or `undefined` for one that is only known in the generic form of RFC 3597. */
export function recordTypeOf(type: RrType): RecordType | undefined {
  return byNumber.get(type)
}

/** The types with a codec of their own. */
export function supportedTypes(): readonly RrType[] {
  return recordTypes.map((declared) => declared.type)
}
