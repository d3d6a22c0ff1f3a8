import { domainNames } from '../fields/domain-name.ts'
import { hostIdentity } from '../fields/host-identity.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The Host Identity of a host (RFC 8005 §5). */
export const hip: RecordType = {
  type: RrType.HIP,
  needs:
    'an algorithm (0–255), the host identity tag in hexadecimal, the key in base 64 and rendezvous servers, such as `2 200100107b1a74df365639cc39f1d578 AwEAAbdx rvs.example.com.`',
  fields: [hostIdentity(), domainNames()],
  isOpaque: true,
}
