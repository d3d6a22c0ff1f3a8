export { createAddressResolver } from './address-resolver.ts'
