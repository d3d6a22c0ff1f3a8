export { type BuildOptions, buildMessage, buildResponse, maxMessageBytes } from './build-message.ts'
export { type CatalogMember, catalogMemberOf, catalogMemberRecord, catalogMembers, catalogRrsets } from './catalog.ts'
export { diffRrsets } from './diff.ts'
export { DnsFault, type FaultCode } from './faults.ts'
export { FrameReader, frame } from './framing.ts'
export { type LookupResult, lookup } from './lookup.ts'
export {
  DnsClass,
  type Edns,
  type EdnsOption,
  type Message,
  Opcode,
  type Question,
  Rcode,
  responseTo,
  type TsigRecord,
  toWireRecord,
  type WireRecord,
} from './message.ts'
export {
  compareNames,
  type DomainName,
  isDomainName,
  isHostName,
  isWildcard,
  isWithin,
  joinName,
  labelsOf,
  nameFromWire,
  nameToWire,
  parentOf,
  parseName,
  readName,
  rootName,
} from './name.ts'
export { parseMessage } from './parse-message.ts'
export { canonicalRdata, parseRdata, rdataToText } from './rdata.ts'
export { compareData, equalData, namesIn, type RecordData } from './rdata-wire.ts'
export { groupRecords, type ResourceRecord, type Rrset, recordsOf } from './rrset.ts'
export { nextSerial, type Serial, serialNewer, toSerial } from './serial.ts'
export { type SoaData, soaFromRdata, soaToRdata } from './soa.ts'
export { tsigKeyNameOf } from './split-tsig.ts'
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
export { type TransferOutcome, TransferReader, type TransferStep } from './transfer-reader.ts'
export {
  type Hmac,
  type TsigAlgorithm,
  TsigFault,
  type TsigKey,
  TsigSession,
  tsigAlgorithms,
  tsigErrorResponse,
  tsigFudgeSeconds,
} from './tsig.ts'
export { maxTtl, parseTtl } from './ttl.ts'
export { isMetaType, parseType, RrType, toType, typeToText } from './type.ts'
export { supportedTypes } from './types/table.ts'
export { writeZoneFile } from './write-zone-file.ts'
export { Zone, type ZoneDiff } from './zone.ts'
export { parseZoneFile, type ZoneFile, type ZoneFileFault, type ZoneFileOptions } from './zone-file.ts'
