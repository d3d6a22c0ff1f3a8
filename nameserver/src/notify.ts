import {
  DnsClass,
  type DomainName,
  type Message,
  type Question,
  Rcode,
  RrType,
  type Serial,
  soaFromRdata,
} from '@zonewright/dns'

/**
 * Called when `origin` has changed, to `serial` if the NOTIFY includes it.
 *
 * @returns whether the zone is known here.
 */
export type NotifyHandler = (origin: DomainName, serial: Serial | undefined) => boolean

/**
 * The rcode of the answer to a NOTIFY (RFC 1996). Only a NOTIFY with our key triggers a transfer: an unsigned one is REFUSED. The rcode for an
 * unknown zone is NOTAUTH, although the handler was called and may be about to add the zone.
 */
export function answerNotify(
  notify: Message,
  question: Question,
  isSigned: boolean,
  onNotify: NotifyHandler | undefined,
): number {
  if (!isSigned || !onNotify) return Rcode.REFUSED
  if (question.type !== RrType.SOA || question.class !== DnsClass.IN) return Rcode.NOTIMP
  return onNotify(question.name, serialIn(notify, question.name)) ? Rcode.NOERROR : Rcode.NOTAUTH
}

function serialIn(notify: Message, origin: DomainName): Serial | undefined {
  const soa = notify.answers.find((record) => record.type === RrType.SOA && record.name === origin)
  return soa && soaFromRdata(soa.data).serial
}
