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
 * Hears that `origin` has changed, to `serial` where the NOTIFY says so.
 *
 * @returns whether the zone is known here.
 */
export type NotifyHandler = (origin: DomainName, serial: Serial | undefined) => boolean

/**
 * The rcode that answers a NOTIFY (RFC 1996). Only our key may wake us: an unsigned one is REFUSED. A zone that is
 * not ours is NOTAUTH, although the handler has heard of it and may be about to learn it.
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
