//! Lists of one entry, and of a hundred thousand.

use masthead_domain::{SiteId, resource::ResourceKind};
use masthead_store::{Count, ListPart, PartOrder, Store};

const SITE: SiteId = SiteId(1049);
const MANY: i64 = 100_000;
/// Entries of the last page that a list of that length has with twenty on a page.
const LAST: u64 = 99_980;

const KINDS: [ResourceKind; 1] = [ResourceKind::Patent];

/// Numbers of the entries of a part, and the length of the list.
async fn part(store: &Store, order: PartOrder, offset: u64) -> (Vec<i64>, u64) {
    let part = ListPart { offset, limit: 20, order };
    let page = store.site(SITE).resource_page(&KINDS, "", part).await.unwrap();
    (page.rows.iter().map(|row| row.id).collect(), page.total)
}

pub async fn suite(store: &Store, url: &str) {
    let rows = |from: i64, to: i64| {
        format!(
            "INSERT INTO resources (id, site_id, kind, entry, section, article_id, position, dated, data) \
             WITH RECURSIVE n(i) AS (SELECT {from} UNION ALL SELECT i + 1 FROM n WHERE i < {to}) \
             SELECT i, {}, 'patent', 'p' || CAST(i AS TEXT), '', 0, 0, '2026-01-01', '{{\"key\":\"p' || CAST(i AS TEXT) || '\"}}' FROM n",
            SITE.0
        )
    };
    let direct = sqlx::AnyPool::connect(url).await.unwrap();
    let write = async |sql: String| sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&direct).await.unwrap();
    write(rows(1, 1)).await;
    for order in [PartOrder::Usual, PartOrder::Reversed, PartOrder::Visits] {
        assert_eq!(part(store, order, 0).await, (vec![1], 1), "{order:?}");
        assert_eq!(part(store, order, 20).await, (Vec::new(), 1), "{order:?}");
    }
    write(rows(2, MANY)).await;
    direct.close().await;
    let viewed = Count { site: SITE, kind: "patent".to_owned(), entity: 77, day: 300, visits: 1, downloads: 0 };
    store.add_counts(&[viewed], &[]).await.unwrap();
    let total = u64::try_from(MANY).unwrap();
    for (order, first, last) in
        [(PartOrder::Usual, MANY, 1), (PartOrder::Reversed, 1, MANY), (PartOrder::Visits, 77, 1)]
    {
        let begin = part(store, order, 0).await;
        assert_eq!((begin.0.len(), begin.0[0], begin.1), (20, first, total), "{order:?}");
        let end = part(store, order, LAST).await;
        assert_eq!((end.0.len(), end.0[19], end.1), (20, last, total), "{order:?}");
        assert_eq!(part(store, order, u64::MAX).await, (Vec::new(), total), "{order:?}");
    }
    assert_eq!(store.site(SITE).resource_ranges(&KINDS, 2000).await.unwrap(), (0..50).collect::<Vec<i64>>());
    let numbers = store.site(SITE).resource_numbers(&KINDS, 98_000, 100_000).await.unwrap();
    assert_eq!((numbers.len(), numbers[0], numbers[1999]), (2000, (KINDS[0], 98_001), (KINDS[0], MANY)));
}
