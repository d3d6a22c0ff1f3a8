import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Certificate, createAuthority } from '../certificates.ts'

/** The name in the server's certificate. */
export const eppServerName = 'epp.nic.test'

/** The server's certificate, and the authority that it and those of the registrars are from. */
export interface EppCertificates extends Certificate {
  readonly ca: string
  readonly caFile: string
}

/** Where a registrar finds its own. */
export function registrarFiles(dataDir: string, registrar: string): { certFile: string; keyFile: string } {
  return { certFile: join(dataDir, `${registrar}.pem`), keyFile: join(dataDir, `${registrar}-key.pem`) }
}

/** Makes all at the first start, and keeps them in the folder; the authority's key is thrown away. */
export async function keepEppCertificates(dataDir: string, registrars: readonly string[]): Promise<EppCertificates> {
  const caFile = join(dataDir, 'ca.pem')
  const certFile = join(dataDir, 'server.pem')
  const keyFile = join(dataDir, 'server-key.pem')
  try {
    // The authority was written last: where it is, the others are.
    const ca = await readFile(caFile, 'utf8')
    return { ca, caFile, cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await chmod(dataDir, 0o700)
  const authority = createAuthority('Zonewright sandbox registry')
  for (const registrar of registrars) {
    const files = registrarFiles(dataDir, registrar)
    const { cert, key } = authority.issueClient(registrar)
    await writeFile(files.keyFile, key, { mode: 0o600 })
    await writeFile(files.certFile, cert)
  }
  const { cert, key } = authority.issue([eppServerName, 'localhost', '127.0.0.1', '::1'])
  await writeFile(keyFile, key, { mode: 0o600 })
  await writeFile(certFile, cert)
  await writeFile(caFile, authority.cert)
  return { ca: authority.cert, caFile, cert, key }
}
