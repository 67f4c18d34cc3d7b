/**
 * Lighthouse over some addresses: `node measure.mjs CHROMIUM URL…` prints one JSON line an address, with the scores
 * in percent and what cost points. The profile is Lighthouse's own of a phone on throttled 4G.
 */

import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';

const [chromium, ...urls] = process.argv.slice(2);
const onlyCategories = ['performance', 'accessibility', 'best-practices'];
const chromeFlags = ['--headless=new', '--no-sandbox', '--disable-background-networking', '--disable-component-update'];

const chrome = await launch({ chromePath: chromium, chromeFlags, logLevel: 'error' });
try {
  for (const url of urls) {
    const { lhr } = await lighthouse(url, { port: chrome.port, onlyCategories, logLevel: 'error', output: 'json' });
    const lost = Object.values(lhr.categories).flatMap(({ auditRefs }) => auditRefs)
      .filter(({ id, weight }) => weight > 0 && (lhr.audits[id].score ?? 1) < 0.9)
      .map(({ id }) => `${id} ${lhr.audits[id].displayValue ?? ''}`.trim());
    const scores = Object.fromEntries(onlyCategories.map((id) => [id, Math.round(100 * (lhr.categories[id].score ?? 0))]));
    console.log(JSON.stringify({ url, scores, lost, error: lhr.runtimeError?.message ?? '' }));
  }
} finally {
  chrome.kill();
}
