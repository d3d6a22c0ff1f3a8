import { displayText, type WireConnectRequest } from '@zonewright/contract'
import { zoneNameIn } from '#modules/zones/index.ts'
import { Refusal } from '#platform/errors.ts'
import type { Resolver } from '#ports/resolver.ts'
import { type ConnectRequest, parseConnectRequest, refuseCritical, refused } from './connect-request.ts'
import { type ConnectCatalogue, type ConnectTemplate, templateId } from './connect-template.ts'
import { returnUrlsOf } from './return-urls.ts'
import { verifySignature } from './signature.ts'

/** A link and its template. */
export interface FoundRequest {
  readonly request: ConnectRequest
  readonly template: ConnectTemplate
  /** The name of the zone. */
  readonly domain: string
}

/** Maximum number of characters of a reseller's name that are shown. */
const maxNameLength = 100

/**
 * Parses a link and finds its template. The signature is not verified.
 *
 * @throws Refusal for a malformed link, `not_found` for a template that is not installed, and if the template is not for browsers (`syncBlock`)
 */
export function findRequest({ templates }: ConnectCatalogue, target: string): FoundRequest {
  const request = parseConnectRequest(target)
  const template = templates.get(templateId(request.providerId, request.serviceId))
  if (template === undefined)
    throw new Refusal(
      'not_found',
      'The service of this link cannot be set up automatically here. Add the records of the service provider manually.',
    )
  if (template.syncBlock)
    throw refused('sync_block', `${template.template.providerName} does not allow links that set up this service.`)
  refuseCritical(request, template)
  const domain = zoneNameIn(request.parameters.get('domain') ?? '')
  if (domain === '') throw refused('missing', 'The link names no valid domain. Start again at the service provider.')
  return { request, template, domain }
}

/**
 * Checks a link, with its signature if its template requires one, and returns what a person has to know before the decision, except the changes and
 * the `token`.
 *
 * @throws Refusal as `findRequest` and `verifySignature` do
 */
export async function readRequest(
  { request, template, domain }: FoundRequest,
  resolver: Resolver,
): Promise<Omit<WireConnectRequest, 'token'>> {
  const { syncPubKeyDomain, isShared, warnPhishing } = template
  const isSigned = syncPubKeyDomain !== undefined
  if (isSigned) await verifySignature(request, syncPubKeyDomain, resolver)
  const { providerId, providerName, serviceId, serviceName } = template.template
  const reseller = isShared ? displayText(request.parameters.get('providerName') ?? '').trim() : ''
  return {
    provider: providerName,
    provider_id: providerId,
    service: serviceName,
    service_id: serviceId,
    on_behalf_of: reseller === '' ? null : reseller.slice(0, maxNameLength),
    domain,
    host: displayText(request.parameters.get('host') ?? ''),
    signed: isSigned,
    // Without a signature, anyone can write a link with any values.
    phishing_warning: !isSigned || warnPhishing,
    return_urls: returnUrlsOf(request, template, isSigned),
  }
}
