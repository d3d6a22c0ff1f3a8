export { readPresets } from './catalogue.ts'
export { mountPresetRoutes } from './routes.ts'
export { isSpf, lookupsOf, maxSpfLookups, termsOf } from './spf.ts'
export { textOfTxt } from './txt.ts'
