import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Certificate, createAuthority } from '../certificates.ts'

const hosts = ['localhost', '127.0.0.1', '::1']

/** The receiver's server certificate, and where the authority to trust for it is written. */
export interface KeptCertificate extends Certificate {
  readonly caFile: string
}

/** Makes authority and certificate at the first start, and keeps them in the folder; the authority's key is thrown away. */
export async function keepCertificate(dataDir: string): Promise<KeptCertificate> {
  const caFile = join(dataDir, 'ca.pem')
  const certFile = join(dataDir, 'server.pem')
  const keyFile = join(dataDir, 'server-key.pem')
  try {
    // The authority was written last: where it is, the others are.
    await readFile(caFile)
    return { caFile, cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const authority = createAuthority('Zonewright sandbox')
  const { cert, key } = authority.issue(hosts)
  await writeFile(keyFile, key, { mode: 0o600 })
  await writeFile(certFile, cert)
  await writeFile(caFile, authority.cert)
  return { caFile, cert, key }
}
