import type { RecordType } from '../record-type.ts'
import type { RrType } from '../type.ts'
import { a } from './a.ts'
import { aaaa } from './aaaa.ts'
import { afsdb } from './afsdb.ts'
import { apl } from './apl.ts'
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
import { https } from './https.ts'
import { kx } from './kx.ts'
import { loc } from './loc.ts'
import { mb } from './mb.ts'
import { md } from './md.ts'
import { mf } from './mf.ts'
import { mg } from './mg.ts'
import { minfo } from './minfo.ts'
import { mr } from './mr.ts'
import { mx } from './mx.ts'
import { naptr } from './naptr.ts'
import { ns } from './ns.ts'
import { nsec } from './nsec.ts'
import { nsec3 } from './nsec3.ts'
import { nsec3param } from './nsec3param.ts'
import { openpgpkey } from './openpgpkey.ts'
import { ptr } from './ptr.ts'
import { px } from './px.ts'
import { rp } from './rp.ts'
import { rrsig } from './rrsig.ts'
import { rt } from './rt.ts'
import { smimea } from './smimea.ts'
import { soa } from './soa.ts'
import { srv } from './srv.ts'
import { sshfp } from './sshfp.ts'
import { svcb } from './svcb.ts'
import { tlsa } from './tlsa.ts'
import { txt } from './txt.ts'
import { uri } from './uri.ts'
import { zonemd } from './zonemd.ts'

/** Every record type with a codec of its own, by number. A new type is one file and one line here. */
const recordTypes: readonly RecordType[] = [
  a,
  ns,
  md,
  mf,
  cname,
  soa,
  mb,
  mg,
  mr,
  ptr,
  hinfo,
  minfo,
  mx,
  txt,
  rp,
  afsdb,
  rt,
  px,
  aaaa,
  loc,
  srv,
  naptr,
  kx,
  cert,
  dname,
  apl,
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
  svcb,
  https,
  eui48,
  eui64,
  uri,
  caa,
]

/** A type with what follows from its fields as a whole. */
export interface KnownType extends RecordType {
  readonly hasNames: boolean
  /** Whether data off the wire differ from those in memory: some name is put into lower case. */
  readonly foldsCase: boolean
  readonly isCompressed: boolean
}

const byNumber = new Map<RrType, KnownType>(recordTypes.map((declared) => [declared.type, known(declared)]))

function known(declared: RecordType): KnownType {
  const embeds = new Set(declared.fields.map((field) => field.embeds))
  const isCompressed = embeds.has('compress')
  const foldsCase = isCompressed || embeds.has('lower')
  return { ...declared, isCompressed, foldsCase, hasNames: foldsCase || embeds.has('keep') }
}

/** The declaration of a type, or `undefined` for one that is only known in the generic form of RFC 3597. */
export function recordTypeOf(type: RrType): KnownType | undefined {
  return byNumber.get(type)
}

/** The types with a codec of their own. */
export function supportedTypes(): readonly RrType[] {
  return recordTypes.map((declared) => declared.type)
}
