import { defineModule } from '@masthead/ui-sdk';
import ara from './messages/ara.json';
import de from './messages/de.json';
import en from './messages/en.json';
import fra from './messages/fra.json';
import jp from './messages/jp.json';
import kor from './messages/kor.json';
import ru from './messages/ru.json';
import spa from './messages/spa.json';
import zh from './messages/zh.json';
import { View } from './View.tsx';
import './view.css';

export default defineModule({ id: 'search-style-seven', slot: 'search', contract: 1, Component: View, messages: { ara, de, en, fra, jp, kor, ru, spa, zh } });
