import {
  Counter,
  type CounterConfiguration,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from 'prom-client'

/** The metrics of one process; `/metrics` prints them. Modules make their own here. */
export class Metrics extends Registry {
  counter<Label extends string = string>(about: CounterConfiguration<Label>): Counter<Label> {
    return new Counter({ ...about, registers: [this] })
  }

  gauge<Label extends string = string>(about: GaugeConfiguration<Label>): Gauge<Label> {
    return new Gauge({ ...about, registers: [this] })
  }

  histogram<Label extends string = string>(about: HistogramConfiguration<Label>): Histogram<Label> {
    return new Histogram({ ...about, registers: [this] })
  }
}

export function createMetrics(): Metrics {
  const metrics = new Metrics()
  // Two samples of the event loop a second are enough: the default of a hundred is most of what an idle process does.
  collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: 500 })
  return metrics
}
