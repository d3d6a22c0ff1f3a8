import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import type { Metrics } from '#platform/figures/metrics.ts'
import type { Configuration } from '#platform/settings/configuration.ts'

/** A certificate that the installation depends on, and its known expiry. */
export interface WatchedCertificate {
  /** `site` (of PUBLIC_URL, as customers see it), or `registry ID client`, `registry ID authority`. */
  readonly name: string
  /** Undefined: it could not be read, for this reason. */
  readonly endsAt: Date | undefined
  readonly why: string
}

/** Reads each certificate now: from its file, or from a connection to the site. */
export async function watchedCertificates({ publicUrl, registries }: Configuration): Promise<WatchedCertificate[]> {
  const files = registries.flatMap(({ id, epp }) => {
    const { cert_file, ca_file } = (epp ?? {}) as { cert_file?: string; ca_file?: string }
    return [
      { name: `registry ${id} client`, file: cert_file },
      { name: `registry ${id} authority`, file: ca_file },
    ].flatMap(({ name, file }) => (file === undefined ? [] : [fromFile(name, file)]))
  })
  const site = publicUrl.startsWith('https:') ? [fromSite(new URL(publicUrl))] : []
  return Promise.all([...site, ...files])
}

async function fromFile(name: string, file: string): Promise<WatchedCertificate> {
  try {
    return { name, endsAt: new X509Certificate(readFileSync(file)).validToDate, why: '' }
  } catch (error) {
    return { name, endsAt: undefined, why: (error as Error).message }
  }
}

/** Accepts any certificate, whoever signed it, because this checks only its expiry and not whether it is trusted. */
function fromSite(site: URL): Promise<WatchedCertificate> {
  return new Promise((resolve) => {
    const host = hostOf(site)
    const socket = connect({
      host,
      port: Number(site.port || 443),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      rejectUnauthorized: false,
      timeout: 5_000,
    })
    const end = (endsAt: Date | undefined, why: string): void => {
      socket.destroy()
      resolve({ name: 'site', endsAt, why })
    }
    socket.once('secureConnect', () => end(socket.getPeerX509Certificate()?.validToDate, ''))
    socket.once('error', (error) => end(undefined, error.message))
    socket.once('timeout', () => end(undefined, 'no answer within 5 s'))
  })
}

/** The host of an address, an IPv6 one without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** How long a result is cached, because a scrape every few seconds must not connect each time. */
const lookEveryMs = 10 * 60_000

/** The certificates in `/metrics`: seconds until each expires; NaN if it could not be read. */
export function showCertificates(metrics: Metrics, configuration: Configuration): void {
  let seen: Promise<WatchedCertificate[]> | undefined
  let seenAtMs = Number.NEGATIVE_INFINITY
  metrics.gauge({
    name: 'zonewright_certificate_expiry_seconds',
    help: 'Time until the certificate expires.',
    labelNames: ['certificate'],
    async collect() {
      if (performance.now() - seenAtMs > lookEveryMs) {
        seenAtMs = performance.now()
        seen = watchedCertificates(configuration)
      }
      for (const { name, endsAt } of (await seen) ?? [])
        this.set({ certificate: name }, endsAt === undefined ? Number.NaN : (endsAt.getTime() - Date.now()) / 1_000)
    },
  })
}
