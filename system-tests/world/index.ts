export { Api, type ApiAnswer } from './api.ts'
export { authenticatorCode, Browser, freshCode, type PageAnswer } from './browser.ts'
export { askTcp, askUdp, type DnsAnswer, untilAnswered } from './dns.ts'
export { type DnsProvider, startDnsProvider } from './dns-provider.ts'
export { eventually, patienceMs } from './eventually.ts'
export { type Behaviour, type FaultyProxy, faultyProxyForTests } from './faulty-proxy.ts'
export { type HeardProgram, startHeard } from './heard-program.ts'
export { type JobClicks, jobClicksOf } from './jobs.ts'
export { jumpingClock } from './jumping-clock.ts'
export {
  addManyRrsets,
  addManyZones,
  addRecordsToZones,
  listIsWhole,
  rowsInDocument,
  scrollToShare,
  timeOfKey,
  timeOfSearch,
  withOwner,
} from './long-lists.ts'
export { type ListedMail, MailboxReader, type ReceivedMail } from './mailbox.ts'
export { newcomer, newcomerPassword, signUpToken } from './newcomer.ts'
export { isNightly, nightlyTest } from './nightly.ts'
export { type Device, type Person, peopleAt, peopleForTests, sharedPersonForTests, testedDevices } from './person.ts'
export { type ReceivedEvent, type ReceivedRequest, ReceiverLog } from './receiver-log.ts'
export { RecordedMetrics } from './recorded-metrics.ts'
export { RegistryOffice } from './registry-office.ts'
export { buyerContact, cards, payAt, type SeenOrder, Shopper } from './shopper.ts'
export { VirtualClock } from './virtual-clock.ts'
export { startWorld, type World, type WorldOptions, worldForTests } from './world.ts'
