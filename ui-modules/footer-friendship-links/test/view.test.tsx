import { renderModule } from '@masthead/ui-sdk/testing';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { violations } from '../../../ui-shell/test/axe.ts';
import manifest from '../module.json' with { type: 'json' };
import module from '../src/module.ts';

describe('footer-friendship-links', () => {
  it.each([
    ['zh', '友情链接', '中国海洋学会'],
    ['en', 'Friendship links', 'Chinese Society for Oceanography'],
    ['ru', 'Сайты партнёров', 'Chinese Society for Oceanography'],
    ['ara', 'مواقع شريكة', 'Chinese Society for Oceanography'],
    ['spa', 'Sitios asociados', 'Chinese Society for Oceanography'],
    ['fra', 'Sites partenaires', 'Chinese Society for Oceanography'],
    ['de', 'Partnerseiten', 'Chinese Society for Oceanography'],
    ['jp', '提携サイト', 'Chinese Society for Oceanography'],
    ['kor', '제휴 사이트', 'Chinese Society for Oceanography'],
  ] as const)('names the links in %s', async (lang, title, name) => {
    const { container } = await renderModule(module, { bootstrap: { lang }, props: manifest.samples });
    expect(screen.getByRole('navigation', { name: title })).toBeTruthy();
    expect(screen.getByRole('link', { name }).getAttribute('rel')).toBe('noopener');
    expect(await violations(container)).toEqual([]);
  });

  it.each([
    ['en', 'Neighbours'],
    ['ara', 'مواقع شريكة'],
  ] as const)("has the site's title in its language only, in %s", async (lang, title) => {
    await renderModule(module, { bootstrap: { lang }, props: { ...manifest.samples, title: { en: 'Neighbours' } } });
    expect(screen.getByRole('heading').textContent).toBe(title);
  });

  /** The same names as in `host/web/src/page/link_row.rs`. */
  it.each([
    ['en', { zh: '甲', en: 'A' }, 'A', null, null],
    ['ru', { zh: '甲', en: 'A' }, 'A', 'en', null],
    ['ara', { zh: '甲', en: 'A' }, 'A', 'en', 'ltr'],
    ['kor', { zh: '甲', en: '' }, '甲', 'zh', null],
    ['ara', { ara: 'أ' }, 'أ', null, null],
  ] as const)('says in which language a name is, where that is not the language of the page (%s, %o)', async (lang, name, text, tag, dir) => {
    await renderModule(module, { bootstrap: { lang }, props: { links: [{ name, address: 'https://a.example/' }] } });
    const shown = screen.getByText(text);
    expect([shown.tagName, shown.getAttribute('lang'), shown.getAttribute('dir')]).toEqual(['BDI', tag, dir]);
  });

  it('leaves out what has a name in neither the language of the page, nor English, nor Chinese', async () => {
    const { container } = await renderModule(module, { props: { links: [{ name: { ru: 'А' }, address: 'https://a.example/' }] } });
    expect(container.textContent).toBe('');
  });

  it('draws nothing without links, and no address but the web', async () => {
    const { container } = await renderModule(module, { props: { links: [{ name: { en: 'x' }, address: 'javascript:alert(1)' }] } });
    expect(container.textContent).toBe('');
  });
});
