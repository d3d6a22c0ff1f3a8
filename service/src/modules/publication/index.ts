export { type Endpoint, endpointToText, parseEndpoint } from './endpoint.ts'
export { PublicationUnfit } from './settle-nameservers.ts'
export { type Publication, type PublicationOptions, startPublication } from './start-publication.ts'
export { type NameserverEntry, type Propagation, readPropagation, replicatedZones } from './store.ts'
