// The screens of the specification, and how loads of them take turns over languages, widths, papers and colours.

/** Sites with both headers, with one and several journals, one of a group, and with menus of one and two levels. */
export const SIX = ['oceanledger', 'scriptstone', 'quietcircuits', 'fieldnotes', 'hsspress', 'openshelf'];

/** The languages in which every site of the demo has its texts. */
export const LANGUAGES = ['zh', 'en'];

/** The screens of the specification's section 2 that need no number, below the language. `personal` tells a visitor to sign in. */
export const SCREENS = [
  'home',
  'issues',
  'issue',
  'justAccepted',
  'onlineFirst',
  'about',
  'aboutus',
  'collectionList',
  'collections',
  'info',
  'news',
  'newsDetails',
  'editorial-board',
  'newsInfo',
  'search?q=a',
  'article?type=article&index=-1&q=a',
  'searchPublication?type=publication&searchType=singleSearch&index=-1&q=a',
  'textList?type=picture&index=-1',
  'textList?type=table&index=-1',
  'audioList?type=video&index=-1',
  'audioList?type=audio&index=-1',
  'othersList?type=other&index=-1',
  'informationList?type=news&index=-1',
  'informationList?type=wechat&index=-1',
  'currencyList?type=onlineVideo&issearch=1&index=-1',
  'currencyList?type=patent&issearch=1&index=-1',
  'currencyList?type=standard&issearch=1&index=-1',
  'currencyList?type=mixed&issearch=1&index=-1',
  'bookList?type=book&issearch=1&index=-1',
  'scholarList',
  'mag',
  'contact',
  'seniorSearch',
  'homeNav',
  'newLink1',
  'newLeaguage?styleId=4',
  'newArticle?code=conference',
  'newArticle?code=prePublication',
  'login',
  'personal',
  'register',
  'quickLogin',
  'forgetCode',
  'accountBinding',
];

const WITH_ONE_JOURNAL = ['oceanledger', 'scriptstone', 'quietcircuits', 'fieldnotes'];
/** The sites whose full texts everyone may read: others show a figure or table without its content. */
const WITH_OPEN_TEXTS = ['oceanledger', 'scriptstone', 'hsspress', 'openshelf'];
const WITH_BOOKS = ['hsspress', 'openshelf'];
const WITH_COMPOSITE_PAGES = ['quietcircuits', 'fieldnotes'];

/**
 * Screens with a number in the address, which differs from site to site, and tabs of a journal: each is what `screenOf` of `crawler.mjs` says of the
 * address, and is opened by the first such link on the page `list`. `slds` has the sites that have the screen, where not all six of them have it.
 */
export const DETAILS = [
  { screen: 'newsDetails/N', list: 'news' },
  { screen: 'collections/N', list: 'collectionList' },
  { screen: 'mag?tab=columns', list: 'mag', slds: WITH_ONE_JOURNAL },
  { screen: 'album/N', list: 'collectionList' },
  { screen: 'book/N', list: 'bookList?type=book', slds: WITH_BOOKS },
  { screen: 'audio/N', list: 'audioList?type=audio' },
  { screen: 'video/N', list: 'audioList?type=video' },
  { screen: 'scholar/N', list: 'scholarList' },
  { screen: 'picture/N', list: 'textList?type=picture', slds: WITH_OPEN_TEXTS },
  { screen: 'table/N', list: 'textList?type=table', slds: WITH_OPEN_TEXTS },
  { screen: 'mag?tab=board', list: 'mag', slds: WITH_ONE_JOURNAL },
  { screen: 'editorial-board/N/N', list: 'editorial-board' },
  { screen: 'newcomposite/N', list: 'homeNav', slds: WITH_COMPOSITE_PAGES },
  { screen: 'issue/N/N', list: 'issues' },
  { screen: 'mag?tab=current', list: 'mag', slds: WITH_ONE_JOURNAL },
];

/** English addresses of screens that a site may do without links to. */
export const NAMED = [
  '/en/homeNav',
  '/en/newLink1',
  '/en/newLeaguage?styleId=4',
  '/en/newArticle?code=conference',
  '/en/newArticle?code=prePublication',
  '/en/newsInfo/0/0',
  '/en/contact',
  '/en/scholarList',
  '/en/seniorSearch?v1=tide+AND',
  '/en/article?type=article&index=-1&q=tide',
  '/en/searchPublication?type=publication&searchType=singleSearch&index=-1&q=ocean',
  '/en/textList?type=picture&index=-1',
  '/en/textList?type=table&index=-1',
  '/en/audioList?type=video&index=-1',
  '/en/audioList?type=audio&index=-1',
  '/en/othersList?type=other&index=-1',
  '/en/informationList?type=news&index=-1',
  '/en/informationList?type=wechat&index=-1',
  '/en/currencyList?type=onlineVideo&issearch=1&index=-1',
  '/en/currencyList?type=patent&issearch=1&index=-1',
  '/en/currencyList?type=standard&issearch=1&index=-1',
  '/en/currencyList?type=mixed&issearch=1&index=-1',
  '/en/bookList?type=book&issearch=1&index=-1',
  '/en/login',
  '/en/quickLogin',
  '/en/register',
  '/en/forgetCode',
  '/en/accountBinding',
];

/** The tabs of the personal centre. */
export const PERSONAL = ['collect', 'download', 'history', 'album', 'subscribe', 'search', 'infomation', 'account'].map((tab) => `personal?tab=${tab}`);

/** The numbers of the colour presets. */
export const PRESETS = Array.from({ length: 11 }, (_, at) => at + 1);
export const PAPERS = ['light', 'dark'];
const WINDOWS = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
];

/**
 * The language, window, paper and preset of the load with this number. They return after 88 loads, in which every combination has its turn, because the
 * eight of the first three and the eleven presets have no common divisor.
 */
export const turn = (number) => ({
  lang: LANGUAGES[number % 2],
  viewport: WINDOWS[Math.floor(number / 2) % 2],
  colorScheme: PAPERS[Math.floor(number / 4) % 2],
  preset: PRESETS[number % PRESETS.length],
});
