extension AnalyticsPage {
    /// Colours for light and dark; eight that stay apart from each other, the last one for others.
    static let style = """

        :root{--back:#fbfbfa;--card:#fff;--text:#1d2327;--faint:#67727c;--line:#e3e6e8;
        --c0:#3568c9;--c1:#d9722e;--c2:#2b9470;--c3:#b8407a;--c4:#7d62c6;--c5:#a88a10;--c6:#3797b2;--c7:#8b949c}
        @media(prefers-color-scheme:dark){:root{--back:#14171a;--card:#1c2125;--text:#e6eaed;--faint:#96a1aa;--line:#30373d;
        --c0:#7aa2f0;--c1:#f0a06a;--c2:#5fc9a3;--c3:#e384b3;--c4:#b29df0;--c5:#d9bd4a;--c6:#74c7dd;--c7:#8b949c}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--back);color:var(--text);font:15px/1.5 system-ui,sans-serif}
        main{max-width:1180px;margin:0 auto;padding:20px 16px 48px;display:grid;gap:16px;
        grid-template-columns:repeat(auto-fit,minmax(min(100%,500px),1fr))}
        header,.tiles{grid-column:1/-1}
        h1{margin:0;font-size:24px}header p{margin:2px 0 0;color:var(--faint)}h2{margin:0 0 2px;font-size:16px}
        section{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:14px 16px;min-width:0}
        .note,.none{margin:0 0 8px;color:var(--faint);font-size:13px}
        .tiles{list-style:none;margin:0;padding:0;display:grid;gap:12px;grid-template-columns:repeat(auto-fit,minmax(150px,1fr))}
        .tiles li{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px 14px}
        .tiles b{display:block;font-size:24px;line-height:1.2;font-variant-numeric:tabular-nums}
        .tiles span,.tiles small{display:block}.tiles small{color:var(--faint)}
        .legend{list-style:none;margin:0 0 6px;padding:0;display:flex;flex-wrap:wrap;gap:2px 16px;font-size:13px}
        .legend i{display:inline-block;width:10px;height:10px;border-radius:2px;margin-right:6px;background:var(--c)}
        .legend b{font-weight:600;font-variant-numeric:tabular-nums}
        .c0{--c:var(--c0)}.c1{--c:var(--c1)}.c2{--c:var(--c2)}.c3{--c:var(--c3)}.c4{--c:var(--c4)}.c5{--c:var(--c5)}
        .c6{--c:var(--c6)}.c7{--c:var(--c7)}
        .scroll{overflow-x:auto}
        svg{display:block;width:100%;min-width:480px;height:auto}
        svg rect{fill:var(--c)}svg rect:hover{opacity:.75}
        svg .column{fill:var(--text);opacity:0}svg .column:hover{opacity:.07}
        svg .line{fill:none;stroke:var(--c);stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
        svg .grid,svg .tick{stroke:var(--line)}
        svg text{fill:var(--faint);font-size:12px}svg .value{text-anchor:end}
        table{border-collapse:collapse;width:100%;font-size:14px}
        th,td{text-align:left;padding:5px 10px 5px 0;border-bottom:1px solid var(--line);white-space:nowrap}
        th{color:var(--faint);font-weight:600}.n{text-align:right;font-variant-numeric:tabular-nums}
        tr:last-child td{border-bottom:0}

        """
}
