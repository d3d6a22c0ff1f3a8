import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Certificate, createAuthority } from '../certificates.ts'

const hosts = ['localhost', '127.0.0.1', '::1']

/** The receiver's server certificate, and the path of the authority to trust. */
export interface KeptCertificate extends Certificate {
  readonly caFile: string
}

/** Creates the authority and the certificate at the first start, and keeps them in the folder. The authority's key is discarded. */
export async function keepCertificate(dataDir: string): Promise<KeptCertificate> {
  const caFile = join(dataDir, 'ca.pem')
  const certFile = join(dataDir, 'server.pem')
  const keyFile = join(dataDir, 'server-key.pem')
  try {
    // The authority is written last, so if it exists, the others exist too.
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
