export { ipv6ToText, isMappedIpv4, parseIpv6 } from './address.ts'
export { bareAnswer } from './bare-answer.ts'
export { aboveRecordsText, belowDnameText, type Clash, clashesAt, clashText, excludingTypes } from './beside.ts'
export { buildMessage, buildResponse } from './build-message.ts'
export { type CatalogMember, catalogMemberOf, catalogMemberRecord, catalogMembers, catalogRrsets } from './catalog.ts'
export { contextFault, hasFinalDot } from './context-free.ts'
export {
  type Cookie,
  type CookieHolder,
  checkServerCookie,
  cookieOf,
  cookieOption,
  type KeyedHash,
  makeServerCookie,
} from './cookie.ts'
export { type Adaptation, maxNoted, Noted } from './dialects/adaptation.ts'
export { foreignBytes, foreignFormat, foreignJson } from './dialects/foreign-format.ts'
export { diffRrsets, type ZoneDiff } from './diff.ts'
export { DnsClass } from './dns-class.ts'
export { type DnssecCrypto, type DnssecHashes, KeyAlgorithm } from './dnssec/crypto.ts'
export {
  type Nsec3Data,
  type NsecData,
  nsec3FromRdata,
  nsec3ParametersFromRdata,
  nsec3ParametersToRdata,
  nsecFromRdata,
  optOutFlag,
} from './dnssec/denial-data.ts'
export { dnskeyToRdata, KeyFlag, keyTag } from './dnssec/dnskey.ts'
export { DigestType, dsOf } from './dnssec/ds.ts'
export { nsec3Chain } from './dnssec/nsec3-chain.ts'
export { announcesChain, hashesAlike } from './dnssec/nsec3-chain-records.ts'
export { type Nsec3Parameters, nsec3Hash, type Sha1 } from './dnssec/nsec3-hash.ts'
export { planSigning, type SigningPlan, type SigningRules } from './dnssec/plan-signing.ts'
export { rrsigFromRdata } from './dnssec/rrsig.ts'
export { splitNsec3 } from './dnssec/split-nsec3.ts'
export { type ValidatorOptions, validate } from './dnssec/validate/validate.ts'
export { type Verdict, worstVerdict } from './dnssec/validate/verdict.ts'
export { type Edns, type EdnsOption, OptionCode, optionOf } from './edns.ts'
export { extendedErrorOption, extendedErrorsOf, InfoCode } from './extended-error.ts'
export { DnsFault } from './faults.ts'
export { FrameReader, frame } from './framing.ts'
export { type LookupResult, lookup } from './lookup.ts'
export {
  type Message,
  Opcode,
  type Question,
  Rcode,
  responseTo,
  toWireRecord,
  type WireRecord,
} from './message.ts'
export {
  asName,
  type DomainName,
  isDomainName,
  isHostName,
  isLocalHost,
  isWildcard,
  isWithin,
  joinName,
  labelsOf,
  parentOf,
  parseName,
  rootName,
} from './name.ts'
export type { SortedNames } from './name-index.ts'
export { compareNames } from './name-order.ts'
export { nameFromWire, nameToWire } from './name-wire.ts'
export { aLabels, ownerName, printedOwner, readOwner, unescapedFault } from './owner-name.ts'
export { parseMessage, tryParseMessage } from './parse-message.ts'
export { canonicalRdata, parseRdata, rdataToText } from './rdata.ts'
export { compareData, equalData, namesIn, type RecordData } from './rdata-wire.ts'
export {
  dataValue,
  faultsTogether,
  isInvalidStored,
  placementFault,
  printedValue,
  readValue,
  recordValue,
  removedValue,
  rrsetBytes,
  signingReason,
  ttlBounds,
  ttlFault,
  type WrittenValue,
} from './record-rules.ts'
export type { RelativeName } from './relative-name.ts'
export {
  coveredType,
  groupRecords,
  type ResourceRecord,
  type Rrset,
  recordInWords,
  recordsOf,
  signatures,
  signaturesOver,
} from './rrset.ts'
export { type Serial, serialNewer, toSerial } from './serial.ts'
export { type SoaData, soaFromRdata, soaToRdata } from './soa.ts'
export { tsigKeyNameOf } from './split-tsig.ts'
export { textTypes } from './text-strings.ts'
export {
  axfrAnswers,
  axfrQuery,
  type IxfrStep,
  ixfrAnswers,
  ixfrQuery,
  notifyMessage,
  soaQuery,
  transferMessages,
} from './transfer.ts'
export { type TransferOutcome, TransferReader } from './transfer-reader.ts'
export {
  checkRequest,
  type Hmac,
  type TsigAlgorithm,
  TsigFault,
  type TsigKey,
  TsigSession,
  tsigAlgorithms,
} from './tsig.ts'
export { tsigErrorResponse } from './tsig-error.ts'
export { isMetaType, parseType, RrType, toType, typeToText } from './type.ts'
export { supportedTypes } from './types/table.ts'
export { type Prerequisite, readUpdate, type Update, type UpdateChange, UpdateFault, updateMessage } from './update.ts'
export { aliasComment, type Comment, composeZoneFile, writeZoneFile } from './write-zone-file.ts'
export { Zone } from './zone.ts'
export { parseZoneFile, readZoneFile, type ZoneFile } from './zone-file.ts'
export type { LocatedRecord, ZoneFileWarning } from './zone-file-reader.ts'
export { entryLimits } from './zone-lexer.ts'
