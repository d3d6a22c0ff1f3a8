export { type PresetCatalogue, readPresets } from './catalogue.ts'
export { mountPresetRoutes } from './routes.ts'
