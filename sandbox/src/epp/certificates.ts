import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Certificate, createAuthority } from '../certificates.ts'

/** The name in the server's certificate. */
export const eppServerName = 'epp.nic.test'

/** The server's certificate, and the authority that issued it and the registrars' certificates. */
export interface EppCertificates extends Certificate {
  readonly ca: string
  readonly caFile: string
}

/** The paths of a registrar's certificate and key. */
export function registrarFiles(dataDir: string, registrar: string): { certFile: string; keyFile: string } {
  return { certFile: join(dataDir, `${registrar}.pem`), keyFile: join(dataDir, `${registrar}-key.pem`) }
}

/** Creates all of them at the first start, and keeps them in the folder. The authority's key is discarded. */
export async function keepEppCertificates(dataDir: string, registrars: readonly string[]): Promise<EppCertificates> {
  const caFile = join(dataDir, 'ca.pem')
  const certFile = join(dataDir, 'server.pem')
  const keyFile = join(dataDir, 'server-key.pem')
  try {
    // The authority is written last, so if it exists, the others exist too.
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
