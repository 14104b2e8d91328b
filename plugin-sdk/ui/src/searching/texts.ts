import { useMemo } from 'react';
import { addMessages, useTranslation, type Translate } from '../i18n/i18n.ts';
import ara from './messages/ara.json' with { type: 'json' };
import de from './messages/de.json' with { type: 'json' };
import en from './messages/en.json' with { type: 'json' };
import fra from './messages/fra.json' with { type: 'json' };
import jp from './messages/jp.json' with { type: 'json' };
import kor from './messages/kor.json' with { type: 'json' };
import ru from './messages/ru.json' with { type: 'json' };
import spa from './messages/spa.json' with { type: 'json' };
import zh from './messages/zh.json' with { type: 'json' };

const NAMESPACE = 'searching';
const MESSAGES = { ara, de, en, fra, jp, kor, ru, spa, zh };

/** The texts of this chunk, so that modules need not have them. */
export function useTexts(): Translate {
  const { i18n } = useTranslation();
  useMemo(() => addMessages(i18n, NAMESPACE, MESSAGES), [i18n]);
  return i18n.getFixedT(null, NAMESPACE) as Translate;
}
