import { fileURLToPath } from 'node:url'

const examples = fileURLToPath(new URL('../docs/examples', import.meta.url))

/** The hooks of docs/examples, and how each client calls its own for a challenge of one.example. */
export const hookCalls = {
  'dns_zonewright.sh': `. ${examples}/dns_zonewright.sh && dns_zonewright_add _acme-challenge.one.example gfj9Xq-Rg85nM`,
  'lego-hook.sh': `sh ${examples}/lego-hook.sh present _acme-challenge.one.example. gfj9Xq-Rg85nM`,
  'certbot-hook.sh': `CERTBOT_DOMAIN=one.example CERTBOT_VALIDATION=gfj9Xq-Rg85nM sh ${examples}/certbot-hook.sh add`,
}
